"""How the shell stops: the problems that a door turns into an exit code, a status or a repair prompt."""

from scriptorium_core.problem import Problem, render_problem

__all__ = ["Refused"]


class Refused(Exception):
    """An expected failure: nothing was changed, and `problems` say why, where and what to do."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(render_problem(problem) for problem in problems))
        self.problems = problems
