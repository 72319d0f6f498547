"""Old facts become fewer: looked for once a week, merged by a model, checked by code, and parted again on demand."""
