"""Starts the emulator with the parts of IAM that it lacks and that isolation between users rests on.

And with what else it does differently from AWS in a way that our tests would notice.

It runs on an interpreter of its own (`.cache/emulator`), on which the emulator also runs every Lambda function.
"As AWS" in these modules means as AWS documents it; nothing was compared with AWS itself.
"""
