# xPos: turned as by RoPE; queries shrink with their place as keys grow, so that far is faint.


def xpos(x):
    share = np.arange(0, width, 2) / width
    turned = np.exp(1j * np.outer(np.arange(length), 10000.0**-share)) * (
        x[:, ::2] + 1j * x[:, 1::2]
    )
    fade = ((share + 0.4) / 1.4) ** ((np.arange(length)[:, None] - length // 2) / 512)
    return product(turned * fade, (turned / fade).conj()).real
