// What scrolls is reached by the keyboard; which formulas do is known when they are typeset, and changes with the window.
const reachable = () => {
  for (const box of document.querySelectorAll("mjx-container, .line-block, .bd-article pre, .pst-scrollable-table-container")) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
addEventListener("load", () => (window.MathJax?.startup?.promise || Promise.resolve()).then(reachable));
addEventListener("resize", reachable);
