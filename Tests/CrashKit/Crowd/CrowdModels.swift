import Trove

/// Models that processes of a crowd enter into a store while others use it. What they hold is only checked by `verify`.
@Model
struct CrowdNote {
    var id: Int
    @Attribute(.indexed) var writer: Int
}

@Model
struct CrowdMark {
    var id: Int
    @Attribute(.indexed) var label: String
}
