"""An operator's hands: commands against a deployed environment, on AWS or on the emulator.

They know names, formats and AWS, and nothing of the run-time code; tests hold the formats together.
"""
