import TroveStorage

/// A range of keys in a program; without an end it is open there.
public struct ProgramRange: Hashable, Sendable, Codable {
    /// The least key.
    public var from: ProgramKey?
    /// The least key above the range.
    public var upTo: ProgramKey?

    /// A range of keys.
    public init(from: ProgramKey? = nil, upTo: ProgramKey? = nil) {
        self.from = from
        self.upTo = upTo
    }

    /// The range itself.
    public var range: KeyRange { KeyRange(from: from?.bytes ?? [], upTo: upTo?.bytes) }

    /// The range with an end less.
    var simplerForms: [ProgramRange] {
        var forms: [ProgramRange] = []
        if from != nil { forms.append(ProgramRange(upTo: upTo)) }
        if upTo != nil { forms.append(ProgramRange(from: from)) }
        return forms
    }
}
