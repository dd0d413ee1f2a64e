import SwiftSyntax

/// What is ignored of texts, as it is written: `ignoringCase: true`, `ignoring: .diacritics` or `ignoring: [.case, .diacritics]`.
struct FoldingSyntax {
    private static let words = ["case": "case", "diacritics": "accents"]

    /// The options, in one order however they are written.
    private let options: Set<String>

    static let nothing = FoldingSyntax(options: [])
    static let caseAlone = FoldingSyntax(options: ["case"])

    private init(options: Set<String>) { self.options = options }

    /// nil when the argument is written so that only the compiler can tell.
    init?(_ argument: LabeledExprSyntax) {
        if argument.label?.text == "ignoringCase" {
            guard let literal = argument.expression.as(BooleanLiteralExprSyntax.self) else { return nil }
            self = literal.literal.tokenKind == .keyword(.true) ? .caseAlone : .nothing
            return
        }
        let elements = argument.expression.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [argument.expression]
        var options: Set<String> = []
        for element in elements {
            guard let member = element.as(MemberAccessExprSyntax.self), [nil, "TextFolding", "Trove.TextFolding"].contains(member.base?.trimmedDescription),
                Self.words[member.declName.baseName.text] != nil
            else { return nil }
            options.insert(member.declName.baseName.text)
        }
        self.options = options
    }

    /// The argument of a call that says what is ignored; nil when there is none.
    static func argument(in arguments: some Sequence<LabeledExprSyntax>) -> LabeledExprSyntax? {
        arguments.first { ["ignoringCase", "ignoring"].contains($0.label?.text) }
    }

    var ignoresNothing: Bool { options.isEmpty }

    /// `ignoring case and accents`.
    var phrase: String { "ignoring " + options.sorted().compactMap { Self.words[$0] }.joined(separator: " and ") }

    /// The part of an index with a property.
    func part(of keyPath: String) -> String {
        options == ["case"] ? ".ignoringCase(\(keyPath))" : ".ascending(\(keyPath), ignoring: [\(options.sorted().map { "." + $0 }.joined(separator: ", "))])"
    }
}
