import Foundation
import TroveCLI

/// The command line program; what it does is in TroveCLI, which tests can import, as they can no program.
@main
enum TroveMain {
    static func main() {
        exit(CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
    }
}
