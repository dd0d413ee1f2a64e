/// A path to a value inside a ``Document``: names and positions, as in `author.name` or `tags[1]`.
///
/// ```swift
/// note["author.name"] = "Ann"
/// note["tags[1]"] = "north"
/// note[#"["first.name"]"#] = "Ann"      // a name that has a dot
/// ```
///
/// A name with a dot or a bracket in it, and the empty one beside others, stand in brackets and double quotes, of which two inside mean one. The empty text is the empty name. What is no position and no name in
/// quotes between brackets is part of a name as it is, so every text is a path.
public struct DocumentPath: Sendable, Hashable {
    /// One step of a path.
    public enum Step: Sendable, Hashable {
        /// The value with this name.
        case name(String)
        /// The element of an array at this position, counted from 0.
        case position(Int)
    }

    /// The steps, the outermost first; none for the whole document.
    public let steps: [Step]

    /// A path of steps, without parsing: dots in names have no meaning.
    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// Reads a path from text.
    public init(_ text: String) {
        var parser = Parser(text: Array(text.unicodeScalars))
        self.init(parser.steps())
    }

    /// The steps as names; positions are names of digits.
    var names: [String] {
        steps.map { step in
            switch step {
            case .name(let name): name
            case .position(let position): String(position)
            }
        }
    }

    private struct Parser {
        let text: [Unicode.Scalar]
        var position = 0

        mutating func steps() -> [Step] {
            var steps: [Step] = []
            // The name that is being read; nil directly after brackets.
            var name: String.UnicodeScalarView? = String.UnicodeScalarView()
            while position < text.count {
                let scalar = text[position]
                if scalar == "." {
                    if let name { steps.append(.name(String(name))) }
                    name = String.UnicodeScalarView()
                    position += 1
                } else if scalar == "[", let step = bracketed() {
                    if let name, !name.isEmpty { steps.append(.name(String(name))) }
                    name = nil
                    steps.append(step)
                } else {
                    var longer = name ?? String.UnicodeScalarView()
                    name = nil
                    longer.append(scalar)
                    name = longer
                    position += 1
                }
            }
            if let name { steps.append(.name(String(name))) }
            return steps
        }

        /// A position or a name in quotes, which is passed over; nil when the bracket begins neither.
        private mutating func bracketed() -> Step? {
            var end = position + 1
            guard end < text.count else { return nil }
            if text[end] == "\"" { return quoted(from: end + 1) }
            var digits = ""
            while end < text.count, ("0"..."9").contains(text[end]) {
                digits.unicodeScalars.append(text[end])
                end += 1
            }
            guard end < text.count, text[end] == "]", let number = Int(digits) else { return nil }
            position = end + 1
            return .position(number)
        }

        private mutating func quoted(from start: Int) -> Step? {
            var name = String.UnicodeScalarView()
            var place = start
            while place < text.count {
                if text[place] != "\"" {
                    name.append(text[place])
                    place += 1
                } else if place + 1 < text.count, text[place + 1] == "\"" {
                    name.append("\"")
                    place += 2
                } else {
                    guard place + 1 < text.count, text[place + 1] == "]" else { return nil }
                    position = place + 2
                    return .name(String(name))
                }
            }
            return nil
        }
    }
}

extension DocumentPath: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}

extension DocumentPath: CustomStringConvertible {
    /// The path as text.
    public var description: String {
        var text = ""
        for (number, step) in steps.enumerated() {
            switch step {
            case .position(let position): text += "[\(position)]"
            case .name(let name) where name.unicodeScalars.contains(where: { ".[]\"".unicodeScalars.contains($0) }) || (name.isEmpty && steps.count > 1):
                text += "[" + name.quoted(by: "\"") + "]"
            case .name(let name): text += (number == 0 ? "" : ".") + name
            }
        }
        return text
    }
}
