"""A small OIDC issuer on loopback: it stands in for whoever signs a company's end users in.

It publishes a discovery document and its public key, and signs anybody in as whoever they say they are (authorization
code with PKCE). Whoever may read its key file makes tokens without that (`python -m infra.local token`).
"""
