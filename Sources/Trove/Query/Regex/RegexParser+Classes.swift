extension RegexParser {
    /// A class, of which the `[` has been read, with classes in it and `&&` and `--` between them.
    mutating func characterClass() throws -> ScalarSet {
        let isInverted = take("^")
        var set: ScalarSet?
        var join: ((ScalarSet, ScalarSet) -> ScalarSet)?
        repeat {
            let members = try members(isFirst: set == nil)
            set = set.flatMap { left in join.map { $0(left, members) } } ?? members
            join = take("&&") ? { .intersection($0, $1) } : take("--") ? { .subtraction($0, $1) } : nil
        } while join != nil
        guard take("]"), let set else { throw RegexMistake(reason: "a '[' without its ']'; write \\[ for the character") }
        return isInverted ? .inverted(set) : set
    }

    /// Members up to the class's end, or to what joins two lists of them.
    private mutating func members(isFirst: Bool) throws -> ScalarSet {
        var sets: [ScalarSet] = []
        var ranges: [ClosedRange<UInt32>] = []
        while let scalar = current {
            // A ']' with nothing before it is a character.
            if scalar == "]", !isFirst || !sets.isEmpty || !ranges.isEmpty { break }
            if text[position...].starts(with: "&&".unicodeScalars) || text[position...].starts(with: "--".unicodeScalars), !sets.isEmpty || !ranges.isEmpty {
                break
            }
            if text[position...].starts(with: "~~".unicodeScalars) {
                throw RegexMistake(reason: "there is no ~~ between classes; write the class with && and --")
            }
            position += 1
            if scalar == "[" {
                sets.append(take(":") ? try posixClass() : try nested { try $0.characterClass() })
            } else if scalar == "\\", take("Q") {
                ranges += quotation().map { $0.value...$0.value }
            } else {
                try member(scalar, &sets, &ranges)
            }
        }
        guard !sets.isEmpty || !ranges.isEmpty else { throw RegexMistake(reason: "a '[' without its ']', or with nothing in it") }
        // A category says what case is meant, in a class too.
        let written = inCase(.ranges(ranges))
        return sets.isEmpty ? written : .union(ranges.isEmpty ? sets : sets + [written])
    }

    /// One scalar, a range of them, or what an escape stands for.
    private mutating func member(_ scalar: Unicode.Scalar, _ sets: inout [ScalarSet], _ ranges: inout [ClosedRange<UInt32>]) throws {
        guard let lower = try bound(scalar, &sets) else { return }
        guard current == "-", position + 1 < text.count, text[position + 1] != "]", text[position + 1] != "-" else {
            ranges.append(lower...lower)
            return
        }
        position += 1
        guard let next = current else { return }
        position += 1
        guard next != "[", let upper = try bound(next, &sets), lower <= upper else {
            throw RegexMistake(reason: "a range in a class that ends before it begins, or with no character; write \\- for the character")
        }
        ranges.append(lower...upper)
    }

    /// A scalar that can begin or end a range; nil when it was an escape of several, which has been added.
    private mutating func bound(_ scalar: Unicode.Scalar, _ sets: inout [ScalarSet]) throws -> UInt32? {
        guard scalar == "\\" else { return scalar.value }
        if take("b") { return 8 }
        let set = try escapedSet()
        if case .ranges(let ranges) = set, ranges.count == 1, ranges[0].count == 1 { return ranges[0].lowerBound }
        sets.append(set)
        return nil
    }

    /// `[:alpha:]`, of which `[:` has been read.
    private mutating func posixClass() throws -> ScalarSet {
        let isInverted = take("^")
        var name = ""
        while let scalar = current, scalar != ":" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard take(":]") else { throw RegexMistake(reason: "a '[:' without its ':]'; write \\[ for the character") }
        let set: ScalarSet =
            switch name.lowercased() {
            case "alnum": .union([.property(.alphabetic), .digit])
            case "blank": .horizontalSpace
            case "cntrl": .category([.control])
            case "digit": .digit
            case "punct": try Self.set(named: "P")
            case "word": .word
            case "xdigit": .property(.hexdigit)
            default: try Self.set(named: name)
            }
        return isInverted ? .inverted(set) : set
    }
}
