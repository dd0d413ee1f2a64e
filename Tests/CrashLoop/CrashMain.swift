import CrashKit

/// Kills processes that write stores, and checks what is left: see `CrashCommand`.
@main
enum CrashMain {
    static func main() { CrashCommand.main() }
}
