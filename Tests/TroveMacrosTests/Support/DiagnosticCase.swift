import Testing

/// A declaration with one mistake, and what the macros say of it.
struct DiagnosticCase: Sendable, CustomTestStringConvertible {
    /// A button in an editor, and the source after pressing it.
    struct Fix: Sendable {
        let message: String
        let source: String
    }

    let name: String
    let source: String
    let message: String
    /// The place of the diagnostic, counted from 1.
    let line: Int
    let column: Int
    let fixIt: Fix?
    /// Whether the class inherits an abstract model, which the compiler would tell the macro.
    let inheritsModel: Bool

    /// `marked` is the source with a `▸` before the place where the diagnostic is expected.
    init(_ name: String, _ marked: String, _ message: String, fixIt: Fix? = nil, inheritsModel: Bool = false) {
        self.name = name
        self.message = message
        self.fixIt = fixIt
        self.inheritsModel = inheritsModel
        source = marked.filter { $0 != "▸" }
        let before = marked.prefix { $0 != "▸" }
        line = before.count { $0 == "\n" } + 1
        column = (before.split(separator: "\n", omittingEmptySubsequences: false).last ?? "").utf8.count + 1
    }

    var testDescription: String { name }
}
