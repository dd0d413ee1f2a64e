import Foundation

/// A type that is stored as text: `String`, `URL` and their optionals.
public protocol TextValue: Storable {}

extension String: TextValue {}
extension URL: TextValue {}
extension Optional: TextValue where Wrapped: TextValue {}
