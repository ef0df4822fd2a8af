"""Named secrets of a home, encrypted beside its memory, and used without ever being answered.

Agents, models and writers have no way here: a contract of the imports and a test of all tools and routes see
to it. `finding` alone is asked by what archives, and gives places in a text, never a secret.
"""

__all__: list[str] = []
