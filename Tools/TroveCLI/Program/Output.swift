import Foundation
import TroveStoreTools

/// A stream that a command writes to, some kilobytes at a time.
final class Output {
    /// Whoever read standard output has gone, so that nobody wants the rest.
    struct Closed: Error {}

    private static let bufferSize = 1 << 16

    /// What the stream is, if it is a terminal.
    let terminal: Terminal
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
        terminal = Terminal(descriptor: descriptor)
        buffer.reserveCapacity(Self.bufferSize + 4_096)
    }

    /// Writes what `body` appends to the bytes that wait.
    @inline(__always)
    func append(_ body: (inout [UInt8]) throws -> Void) throws {
        try body(&buffer)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    func write(_ text: String) throws {
        try append { $0.append(contentsOf: text.utf8) }
    }

    func line(_ text: String = "") throws { try write(text + "\n") }

    /// Writes bytes at once, behind those that wait.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try flush()
        try writeAll(bytes)
    }

    /// Tells on standard error what a command found missing and goes on without.
    static func tell(_ error: any Error) { tell("\(error)") }

    /// Tells on standard error what a person may want to know beside the answer. Where nobody reads that, the command goes on all the same.
    static func tell(_ text: String) { Output(descriptor: STDERR_FILENO).tryToWrite("trove: " + TerminalText.escaped(text) + "\n") }

    /// Tells a person at a terminal what to do; nobody else.
    static func hint(_ text: String) {
        let errors = Output(descriptor: STDERR_FILENO)
        if errors.terminal.isTerminal { errors.tryToWrite(errors.terminal.dimmed(text) + "\n") }
    }

    /// Writes a text beside the answer, if somebody takes it.
    func tryToWrite(_ text: String) {
        do {
            try write(text)
            try flush()
        } catch {
            // A change that is under way is worth more than what is told about it.
            return
        }
    }

    /// Writes the bytes that wait.
    ///
    /// - Throws: ``Closed``; ``CommandError/unwritableAnswer(reason:)`` when the system does not take them.
    func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try buffer.withUnsafeBytes(writeAll)
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0 && errno == EINTR { continue }
            if count < 0, errno == EPIPE, descriptor == STDOUT_FILENO { throw Closed() }
            guard count >= 0 else { throw CommandError.unwritableAnswer(reason: String(cString: strerror(errno))) }
            rest = rest.dropFirst(count)
        }
    }
}
