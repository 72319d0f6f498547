"""Facts that people see, write, bring along and delete: users their own, administrators a user's and shared ones."""
