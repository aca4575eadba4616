"""The reference implementations: one module per component, the plainest code that does what its spec says."""
