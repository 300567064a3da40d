"use strict";
// Tables sort by the column whose heading is pressed, each group of rows for itself; numbers before what has none.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => {
        const cell = row.cells[column];
        const number = Number.parseFloat(cell.dataset.key ?? cell.textContent.replace("−", "-").replace(/\s/g, ""));
        return cell.classList.contains("number") ? number : cell.textContent;
      };
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (typeof x === "string") return x.localeCompare(y) * (down ? -1 : 1);
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
        return (x - y) * (down ? -1 : 1);
      };
      for (const body of table.tBodies) {
        body.append(...[...body.rows].filter((row) => !row.classList.contains("group")).sort(order));
      }
    });
  });
}
