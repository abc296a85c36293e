"""The central model: Laplace and discrete Laplace noise on published counts."""
