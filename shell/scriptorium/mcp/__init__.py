"""The door for agents that speak the Model Context Protocol: tools, resources and a prompt."""

__all__: list[str] = []
