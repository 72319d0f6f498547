"""A small OIDC issuer on loopback: it stands in for whoever signs a company's end users in.

It publishes a discovery document and its public key. It signs nobody in: whoever may read its key file makes tokens
(`python -m infra.local token`).
"""
