import Foundation

/// What an error of Foundation's says about a file.
///
/// On Linux its `localizedDescription` is often a number, "(NSCocoaErrorDomain error 256.)". The system's own error is inside of it, and has words.
package enum FileFailure {
    /// Why it failed, in words that follow the file's path; of an error that is not Foundation's, what it says itself.
    package static func reason(of error: any Error) -> String {
        guard let code = code(of: error) else { return error is CocoaError ? error.localizedDescription : "\(error)" }
        return switch code {
        case ENOENT: "there is no such file or directory"
        case EISDIR: "it is a directory; name a file"
        case ENOTDIR: "a file is in its path where a directory has to be"
        case EACCES, EPERM: "the system does not permit it; change the permissions of the file or its directory"
        default: String(cString: strerror(code)).lowercased()
        }
    }

    /// The system's error number; nil where the error has none.
    package static func code(of error: any Error) -> Int32? {
        let outer = error as NSError
        // Foundation's errors in Swift have one of Swift's inside, which is no NSError before it is made one.
        let inner = (outer.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        return [outer, inner].compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }.flatMap { Int32(exactly: $0.code) }
    }
}
