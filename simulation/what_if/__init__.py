"""Groups that are watched, changed and watched again: what a replay predicts is held against what came."""
