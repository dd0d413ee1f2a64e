import Foundation
import Synchronization

/// What is done when an object is used whose context the program has let go of: nobody can load its objects or store its changes, and neither a getter nor a
/// setter can throw.
enum MissingContext {
    private static let wasTold = Atomic(false)

    /// Stops a debug build; any other prints the message, the first time.
    static func report(_ use: String, of owner: any LiveModel) {
        let model = type(of: owner).schema.name
        let message = "\(use) of the \(model) \(owner.shownID), whose ObjectContext is gone; keep the context as long as its objects are used, "
            + "for instance in a property beside them"
        assertionFailure(message)
        tell(message)
    }

    /// Prints why a getter gave a value that is not the stored one, the first time, for an object in no context that could keep the error.
    static func report(_ error: any Error, of owner: any LiveModel) {
        tell("a lazy property of the \(type(of: owner).schema.name) \(owner.shownID), which is in no context, gives its default value: \(error)")
    }

    private static func tell(_ message: String) {
        guard !wasTold.exchange(true, ordering: .relaxed) else { return }
        do {
            try FileHandle.standardError.write(contentsOf: Data("Trove: \(message)\n".utf8))
        } catch {
            // Nobody reads it: the program has closed its standard error.
        }
    }
}
