"""What a user sees and does about their own memory."""
