"""The policies that `task.policy` names, one for each environment."""

import numpy as np

from nodia.policy import load_policies


class TaskPolicies:
    """Policies of a class or a log. Each is made when its environment first asks for an action.

    @param policy  the key `task.policy`
    @param task    nodia.policy.Task
    @param n       number of environments
    """

    def __init__(self, policy, task, n):
        self._policy, self._task = policy, task
        self._policies = [None] * n
        self._began = np.zeros(n, bool)  # whether the policy has acted in the running episode

    def begin(self, env):
        """An episode begins: the policy is reset before its next action."""
        self._began[env] = False

    def make(self, envs):
        """Makes the policies of these environments that do not exist yet. A file is read once for all of them."""
        missing = [env for env in envs if self._policies[env] is None]
        if missing:
            for env, policy in zip(missing, load_policies(self._policy, self._task, len(missing)), strict=True):
                self._policies[env] = policy

    def act(self, env, observe, seed, step):
        """The action of one environment, (n,) in the task's units.

        @param observe  returns a new copy of the observation
        @param seed     of the episode's policy
        @param step     control steps that the episode has taken
        """
        policy = self._policies[env]
        if not self._began[env]:
            policy.reset(observe(), seed)
            self._began[env] = True
        return policy.act(observe(), step)

    def save(self, env):
        """State of one environment's policy: whether it has begun the episode, whether it exists, what it remembers."""
        policy = self._policies[env]
        return bool(self._began[env]), policy is not None, policy and policy.memory()

    def load(self, env, state):
        """@param state  of save()"""
        self._began[env], exists, memory = state
        self._policies[env] = None
        if exists:
            self.make([env])
            self._policies[env].recall(memory)
