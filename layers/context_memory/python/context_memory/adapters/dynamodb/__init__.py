"""The user table. Load imports `state` alone; `user_table` brings the rest."""
