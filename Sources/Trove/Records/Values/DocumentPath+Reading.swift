// The macros read paths with this file too, which is linked to there. So it uses nothing but the steps.

extension DocumentPath {
    /// The steps that a text means.
    static func steps(of text: String) -> [Step] {
        var parser = Parser(text: Array(text.unicodeScalars))
        return parser.steps()
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
