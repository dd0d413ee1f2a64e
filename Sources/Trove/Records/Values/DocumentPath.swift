/// A path to a value inside a ``Document``: names and positions, as in `author.name` or `tags[1]`.
///
/// ```swift
/// note["author.name"] = "Ann"
/// note["tags[1]"] = "north"
/// note[#"["first.name"]"#] = "Ann"      // a name that has a dot
/// ```
///
/// A name with a dot or a bracket in it, and the empty one beside others, stand in brackets and double quotes, of which two inside mean one. The empty text is
/// the empty name. What is no position and no name in quotes between brackets is part of a name as it is, so every text is a path.
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
        self.init(Self.steps(of: text))
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
