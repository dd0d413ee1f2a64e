/// What a test of the macros asks of `MacroProbe`: whether a source expands as it expects.
public struct MacroQuestion: Codable, Sendable {
    /// A diagnostic that is expected.
    public struct Diagnostic: Codable, Sendable {
        public var message: String
        /// The place, counted from 1.
        public var line: Int
        public var column: Int
        /// The message of the fix-it, and the source after it.
        public var fix: String?
        public var fixedSource: String?

        public init(message: String, line: Int, column: Int, fix: String?, fixedSource: String?) {
            self.message = message
            self.line = line
            self.column = column
            self.fix = fix
            self.fixedSource = fixedSource
        }
    }

    public var source: String
    /// The source with everything expanded; nil when it does not matter beside a diagnostic.
    public var expanded: String?
    /// Whether the struct names the protocol itself, which the compiler would tell the macro.
    public var statesConformance: Bool
    /// Whether the class inherits an abstract model, which the compiler would tell the macro.
    public var inheritsModel: Bool
    public var diagnostic: Diagnostic?

    public init(source: String, expanded: String? = nil, statesConformance: Bool = false, inheritsModel: Bool = false, diagnostic: Diagnostic? = nil) {
        self.source = source
        self.expanded = expanded
        self.statesConformance = statesConformance
        self.inheritsModel = inheritsModel
        self.diagnostic = diagnostic
    }
}
