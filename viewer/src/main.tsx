/** The page: opens what the address names, and shows it. */
import { render } from "preact";
import { App } from "./app.js";
import "./style/base.css";
import "./style/layout.css";
import { installKeys } from "./keys.js";
import { openLinked } from "./state/session.js";
import { applyTheme } from "./state/theme.js";

const root = document.getElementById("viewer");
if (root === null) throw new Error("the page has no place for the viewer");
applyTheme();
installKeys();
openLinked();
render(<App />, root);
