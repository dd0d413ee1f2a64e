import FuzzChecks

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What is fuzzed in this process, by its name in the environment.
private let target: FuzzTarget = {
    let name = getenv("TROVE_FUZZ").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        say("set TROVE_FUZZ to one of: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))")
        exit(2)
    }
    return target
}()

/// Called by libFuzzer for each input, on one thread. A failure ends the process, as a crash does; libFuzzer then keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.check([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        say("\(target.rawValue): \(error)")
        abort()
    }
    return 0
}

private func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
