import Foundation

/// What a stream shows: a terminal of some width, or a file or pipe.
struct Terminal: Equatable {
    /// Whether people read it as it is written.
    let isTerminal: Bool
    /// The columns that lines may have; nil when there is no bound.
    let width: Int?
    /// Whether parts may be dimmed and coloured.
    let hasColours: Bool

    init(isTerminal: Bool, width: Int?, hasColours: Bool) {
        self.isTerminal = isTerminal
        self.width = width
        self.hasColours = hasColours
    }

    /// What a descriptor shows. `COLUMNS` is the width of what is no terminal; `NO_COLOR` forbids colours, as `TERM=dumb` does.
    init(descriptor: Int32) {
        let environment = ProcessInfo.processInfo.environment
        let isTerminal = isatty(descriptor) == 1
        var size = winsize()
        let isKnown = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let told = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let allowsColours = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        self.init(isTerminal: isTerminal, width: isKnown ? Int(size.ws_col) : told ?? (isTerminal ? 80 : nil), hasColours: isTerminal && allowsColours)
    }

    /// A text in less light, where there are colours.
    func dimmed(_ text: String) -> String { hasColours ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    /// A text in more light, where there are colours.
    func bold(_ text: String) -> String { hasColours ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
