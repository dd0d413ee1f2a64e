/// A member that `@Model` writes unless the type has it.
enum ModelMember {
    case schema
    /// `encode(into:)`
    case encoder
    /// `init(from:)`
    case decoder
    /// The type `ID`.
    case idType
    case indexes
}
