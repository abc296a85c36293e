// What is wider than the window scrolls inside its own box; the keyboard reaches such a box.
document.addEventListener("DOMContentLoaded", () => {
  const names = { PRE: "Code", FIGURE: "Figure" };
  const reach = () => {
    for (const box of document.querySelectorAll(".highlight pre, .table-wrapper, .math-block, figure")) {
      if (box.scrollWidth > box.clientWidth + 1) {
        box.tabIndex = 0;
        box.setAttribute("role", "region");
        box.setAttribute("aria-label", `${names[box.tagName] ?? "Table or formula"}, scrolls sideways`);
      } else if (box.getAttribute("role") === "region") {
        for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
      }
    }
  };
  reach();
  addEventListener("load", reach); // pictures have their width now
  addEventListener("resize", reach);
});
