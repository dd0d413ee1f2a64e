import Foundation

/// Standard output: a terminal, or a file or pipe that gets plain lines only.
struct Console: Sendable {
    /// Whether lines may be drawn over.
    let isTerminal: Bool
    /// The columns of the terminal; 80 when there is none.
    let width: Int

    init() {
        let environment = ProcessInfo.processInfo.environment
        isTerminal = isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        width = isKnown ? max(40, Int(size.ws_col)) : 80
    }

    func write(_ text: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    func line(_ text: String = "") throws { try write(text + "\n") }

    /// A title with a rule to the right of it.
    func heading(_ title: String) throws {
        let rule = String(repeating: "─", count: max(0, min(width, 100) - title.count - 1))
        try line("\n\(title) \(rule)\n")
    }

    /// Text that is wrapped at spaces, its first line behind `label`, the others under it.
    func paragraph(_ label: String, _ text: String) throws {
        let indent = String(repeating: " ", count: label.count)
        var current = label
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty && current.count + 1 + word.count > min(width, 100) {
                try line(current)
                current = indent
                isEmpty = true
            }
            current += isEmpty ? String(word) : " \(word)"
            isEmpty = false
        }
        try line(current)
    }

    /// One thing that was tried and found right.
    func check(_ name: String, _ text: String) throws {
        try paragraph("  ✓ \(name.padding(toLength: 11, withPad: " ", startingAt: 0))", text)
    }
}
