import Foundation

/// Finds the types in Swift files that are workloads or contestants.
struct TypeScanner {
    /// A struct that is one.
    struct Member {
        let name: String
        /// The protocol that makes it one.
        let conformance: String
        let hasVariants: Bool
    }

    private struct Conformance {
        let type: String
        let conformance: String
        /// For warnings: the file and the line.
        let place: String
    }

    private static let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "extension"]
    private static let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private", "final", "indirect", "nonisolated"]

    private var structs: Set<String> = []
    private var withVariants: Set<String> = []
    private var conformances: [Conformance] = []

    /// The structs, in the order in which they were found.
    var members: [Member] {
        var members: [Member] = []
        for found in conformances where structs.contains(found.type) && !members.contains(where: { $0.name == found.type }) {
            members.append(Member(name: found.type, conformance: found.conformance, hasVariants: withVariants.contains(found.type)))
        }
        return members
    }

    /// What conforms, but is not among the members.
    var warnings: [String] {
        conformances.filter { !structs.contains($0.type) }.map {
            "\($0.place): warning: \($0.type) is a \($0.conformance), but does not take part: only structs outside of other types do"
        }
    }

    /// Finds the types of a file.
    mutating func scan(_ text: String, path: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var outermost = ""
        for (number, line) in lines.enumerated() {
            let words = line.split(separator: " ")
            if words.starts(with: ["static", "let", "variants:"]) || words.starts(with: ["static", "var", "variants:"]) { withVariants.insert(outermost) }
            let declared = words.drop { $0.hasPrefix("@") || Self.modifiers.contains($0) }
            guard let kind = declared.first, Self.kinds.contains(kind), let name = declared.dropFirst().first, name.first?.isUppercase == true else { continue }
            // A declaration ends with its brace, which may be some lines below.
            let head = lines[number...].joined(separator: " ").prefix { $0 != "{" }
            let type = String(name.prefix(while: Self.isPartOfName))
            let isOutermost = line.first != " "
            if isOutermost {
                outermost = type
                if kind == "struct" { structs.insert(type) }
            }
            guard let conformance = Self.conformance(String(head)) else { continue }
            conformances.append(
                Conformance(type: isOutermost ? type : "\(outermost).\(type)", conformance: conformance, place: "\(path):\(number + 1)"))
        }
    }

    /// The protocol of a workload or a contestant among those that a declaration names, the most special one.
    private static func conformance(_ head: String) -> String? {
        let declaration = head.components(separatedBy: " where ")[0]
        guard let colon = declaration.firstIndex(of: ":") else { return nil }
        let names = declaration[colon...].split { !isPartOfName($0) }.map(String.init)
        let found = names.filter { $0.hasSuffix("Workload") || $0.hasSuffix("Contestant") }
        return found.first { $0 != "Workload" && $0 != "Contestant" } ?? found.first
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "."
    }
}
