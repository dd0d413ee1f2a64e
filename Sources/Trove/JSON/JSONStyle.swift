/// The layout of JSON text. What it says is the same.
public enum JSONStyle: Sendable, Hashable {
    /// On one line, without spaces.
    case compact
    /// For people and for tools that compare lines: a property or element on a line of its own, two spaces for each level.
    case pretty
}
