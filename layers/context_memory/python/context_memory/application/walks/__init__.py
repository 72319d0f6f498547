"""Work about every user of a company: asked for, confirmed, walked off a stretch at a time, told of."""
