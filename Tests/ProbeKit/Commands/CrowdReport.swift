/// What a crowd of tasks needed of the process.
package struct CrowdReport: Sendable, CustomStringConvertible {
    /// The threads and open files of the process at a moment; 0 where the system does not tell.
    package struct Needs: Sendable {
        package var threads: Int
        package var files: Int
    }

    /// How many threads more the process may need after the second crowd than after the first, and files after the store was closed than before.
    package static let slack = Needs(threads: 8, files: 2)
    /// How many files the store may have open, in use or kept for the next: those of all connections of a pool, which grows as far as its limit when
    /// the machine is busy.
    package static let mostFiles = 60

    /// Before the store was opened, at the most while tasks ran, after the first and second crowd, and after the store was closed.
    package var before, during, between, afterwards, closed: Needs
    package var writes, sum, failures: Int

    init(before: Needs, during: Needs, between: Needs, afterwards: Needs, closed: Needs, writes: Int, sum: Int, failures: Int) {
        (self.before, self.during, self.between, self.afterwards, self.closed) = (before, during, between, afterwards, closed)
        (self.writes, self.sum, self.failures) = (writes, sum, failures)
    }

    /// Reads a report as ``line`` prints it.
    package init(_ line: String) throws {
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 13 else { throw Inconsistency("no report of a crowd: '\(line)'") }
        func needs(_ place: Int) -> Needs { Needs(threads: numbers[2 * place], files: numbers[2 * place + 1]) }
        self.init(
            before: needs(0), during: needs(1), between: needs(2), afterwards: needs(3), closed: needs(4), writes: numbers[10],
            sum: numbers[11], failures: numbers[12])
    }

    var line: String {
        let needs = [before, during, between, afterwards, closed].flatMap { [$0.threads, $0.files] }
        return (needs + [writes, sum, failures]).map(String.init).joined(separator: " ")
    }

    package var description: String {
        func text(_ needs: Needs) -> String { "\(needs.threads) threads, \(needs.files) files" }
        return """
            before: \(text(before)); during: \(text(during)); between: \(text(between)); afterwards: \(text(afterwards)); \
            closed: \(text(closed)); \(writes) writes, sum \(sum), \(failures) failures
            """
    }
}
