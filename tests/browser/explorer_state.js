root => ({
    numbers: Object.fromEntries([...root.querySelectorAll("[data-step]")].map(e => [e.dataset.step,
        e.textContent.replaceAll(" ", " ")])),
    pictures: [...root.querySelectorAll("svg")].map(e => e.outerHTML),
    words: [...root.querySelectorAll("svg")].map(e => e.getAttribute("aria-label")),
    roles: [...root.querySelectorAll("svg")].map(e => e.getAttribute("role")),
    positions: Object.fromEntries([
        ...[...root.querySelectorAll("[type=range]")].map(e => [e.name, e.getAttribute("aria-valuetext")]),
        ...[...root.querySelectorAll("[type=radio]:checked")].map(e => [e.dataset.control, e.nextElementSibling.textContent]),
    ]),
    places: Object.fromEntries(
        [...root.querySelectorAll("[type=range], [type=radio]:checked")].map(e => [e.dataset.control || e.name, Number(e.value)])
    ),
    conclusion: root.querySelector("[aria-live]").textContent.replaceAll(" ", " "),
    name: root.getAttribute("aria-label"),
})
