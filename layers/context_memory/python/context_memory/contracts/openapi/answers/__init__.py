"""Bodies of answers as models, for the description alone: what answers is plain JSON, made by `application`."""
