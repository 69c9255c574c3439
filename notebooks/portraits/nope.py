# NoPE: nothing says where a token stands; equal tokens have equal scores.


def nope(x):
    return product(x, x)
