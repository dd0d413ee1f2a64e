/// Which known names somebody may have meant who wrote one that is unknown.
package enum NearName {
    /// How many are offered.
    private static let mostOffered = 3
    /// How many known names are few enough to be told all.
    private static let mostListed = 12

    /// The known names nearest to one, the nearest first; none when all are far from it.
    ///
    /// A name is near that is the same but for case, that begins with the other one, or that a few slips lead to: a letter more, less, another one, or two that
    /// changed places; of three letters one slip, of fewer none.
    package static func nearest(to name: String, in known: [String]) -> [String] {
        let written = Array(CaseFolding.folded(name))
        guard !written.isEmpty else { return [] }
        let bound = min(3, written.count / 3)
        var found: [(name: String, distance: Int)] = []
        for candidate in known where candidate != name {
            let other = Array(CaseFolding.folded(candidate))
            // What somebody began to write, and what they wrote in the plural.
            let isBeginning = min(written.count, other.count) >= 3 && (other.starts(with: written) || written.starts(with: other) && written.count - other.count <= 2)
            guard isBeginning || abs(written.count - other.count) <= bound else { continue }
            let distance = slips(written, other)
            if distance <= bound { found.append((candidate, distance)) } else if isBeginning { found.append((candidate, bound + 1)) }
        }
        // Sorting keeps the order of equal ones only when their place is a part of it.
        let ordered = found.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
        return ordered.prefix(mostOffered).map(\.element.name)
    }

    /// What to say behind the mistake in a name: the near ones as a question, and all known ones when they are few; empty when there is nothing to say.
    ///
    /// - Parameter lead: what stands before the list of known names.
    package static func advice(on name: String, known: [String], listedAs lead: String) -> String {
        let near = nearest(to: name, in: known)
        let question = near.isEmpty ? "" : "; did you mean \(near.map { "'\($0)'" }.formattedAsChoice)?"
        guard !known.isEmpty, known.count <= mostListed || near.isEmpty && known.count <= 3 * mostListed else { return question }
        return near.isEmpty ? "; \(lead) \(known.joined(separator: ", "))" : question + " (\(lead) \(known.joined(separator: ", ")))"
    }

    /// The number of letters to add, leave out, exchange, or swap with their neighbour that make one text of another.
    private static func slips(_ left: [Character], _ right: [Character]) -> Int {
        var (earlier, before) = ([Int](), Array(0...right.count))
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var least = min(before[column + 1] + 1, current[column] + 1, before[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other { least = min(least, earlier[column - 1] + 1) }
                current.append(least)
            }
            (earlier, before) = (before, current)
        }
        return before[right.count]
    }
}

extension [String] {
    /// The strings joined as a choice: "a, b or c".
    package var formattedAsChoice: String { count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1] }
}
