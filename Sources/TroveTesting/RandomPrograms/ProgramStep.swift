/// One step of a random program: a value, so that a program can be printed, fed back and made shorter.
///
/// Any list of steps must be a valid program, because a failing program is made shorter by leaving steps out.
public protocol ProgramStep: Codable, Hashable, Sendable {
    /// Lists of simpler steps that may replace this one, the simplest first. Every chain of them must end.
    ///
    /// A step that holds others gives them among its forms (see ``Swift/Array/simplerLists``).
    var simplerForms: [[Self]] { get }

    /// The number of elementary operations in the step, itself included where it is one.
    var operationCount: Int { get }
}

extension ProgramStep {
    public var simplerForms: [[Self]] { [] }
    public var operationCount: Int { 1 }
}

extension Array where Element: ProgramStep {
    /// The number of elementary operations in all steps.
    public var operationCount: Int { reduce(0) { $0 + $1.operationCount } }

    /// Shorter and simpler lists: none, without each half, quarter and so on, and with each step in a simpler form.
    public var simplerLists: [[Element]] {
        guard !isEmpty else { return [] }
        var lists: [[Element]] = [[]]
        var size = count / 2
        while size >= 1 {
            for start in stride(from: 0, to: count, by: size) {
                lists.append(Array(self[..<start] + self[Swift.min(start + size, count)...]))
            }
            size /= 2
        }
        for (position, step) in enumerated() {
            for form in step.simplerForms { lists.append(Array(self[..<position] + form + self[(position + 1)...])) }
        }
        return lists
    }
}
