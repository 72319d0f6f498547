"""Changes of a profile that rest on no turn: by the user, by administrators, by the service itself."""
