import Foundation
import ProbeKit

/// Works on stores in a process of its own, so that a test can damage them, lock them, starve them and kill it. With arguments it does one thing
/// and ends; see `ProbeCommand`.
@main
enum ProbeMain {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if !arguments.isEmpty { return print(try ProbeCommand.carryOut(arguments)) }
        let probe = Probe(send: send)
        while let line = readLine(strippingNewline: true) {
            probe.handle(try JSONDecoder().decode(ProbeRequest.self, from: Data(line.utf8)))
        }
    }

    /// Writes one line without buffering it, so that what a killed probe has acknowledged is known.
    private static func send(_ reply: ProbeReply) {
        do {
            var line = try JSONEncoder().encode(reply)
            line.append(UInt8(ascii: "\n"))
            try FileHandle.standardOutput.write(contentsOf: line)
        } catch {
            // The test has gone.
            exit(1)
        }
    }
}
