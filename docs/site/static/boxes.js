// What is wider than the window scrolls inside its own box, which the keyboard reaches. The columns beside a page have names.
document.addEventListener("DOMContentLoaded", () => {
  const names = { PRE: "Code", FIGURE: "Figure" };
  const reach = () => {
    for (const box of document.querySelectorAll(".highlight pre, .table-wrapper, .math-block, figure")) {
      if (box.scrollWidth > box.clientWidth + 1) {
        box.tabIndex = 0;
        if (box.tagName !== "FIGURE") box.setAttribute("role", "group"); // a figure has a role of its own
        box.setAttribute("aria-label", `${names[box.tagName] ?? "Table or formula"}, scrolls sideways`);
      } else if (box.tabIndex === 0) {
        for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
      }
    }
  };
  reach();
  const columns = { ".sidebar-drawer": "All pages", ".toc-drawer": "On this page" };
  for (const [column, name] of Object.entries(columns)) document.querySelector(column)?.setAttribute("aria-label", name);
  addEventListener("load", reach); // pictures have their width now
  addEventListener("resize", reach);
});
