import FailingCalls

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How a system call fails.
enum SystemFault: CaseIterable {
    case diskFull, diskStaysFull, inputOutput, shortWrite
    /// A want of memory, and an I/O error after which calls that succeed leave a want of memory behind, as allocators do.
    case wantOfMemory, hiddenError

    /// Lets the nth call from now on fail.
    func arm(_ number: Int) {
        switch self {
        case .diskFull: failing_calls_arm(Int64(number), ENOSPC, false)
        case .diskStaysFull: failing_calls_arm(Int64(number), ENOSPC, true)
        case .inputOutput: failing_calls_arm(Int64(number), EIO, false)
        case .shortWrite: failing_calls_arm(Int64(number), 0, false)
        case .wantOfMemory: failing_calls_arm(Int64(number), ENOMEM, false)
        case .hiddenError: failing_calls_arm_hidden(Int64(number), EIO, ENOMEM)
        }
    }
}
