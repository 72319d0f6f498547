"""What the use cases need of the world.

Every method that crosses the network may raise `Unavailable` (or a subclass): the world's fault, worth waiting for.
Methods that take a `UserKey` act with credentials for that user alone.
Further promises and errors are each method's own.
One module for each part of the world, so that a function imports only what it reaches.
"""
