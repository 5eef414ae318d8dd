"""All tables of campaigns at once, as the migrations up to 0034 leave them: a new database is made in seconds."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("campaign", "0001_initial"),
        ("campaign", "0002_links_and_throttles"),
        ("campaign", "0003_sessions"),
        ("campaign", "0004_dice_logs"),
        ("campaign", "0005_closing"),
        ("campaign", "0006_scenario_picture"),
        ("campaign", "0007_refused_mails"),
        ("campaign", "0008_event_versions"),
        ("campaign", "0009_moments"),
        ("campaign", "0010_secrets"),
        ("campaign", "0011_phase_settings"),
        ("campaign", "0012_settings_of_full_phases"),
        ("campaign", "0013_weights_of_phases"),
        ("campaign", "0014_viewers"),
        ("campaign", "0015_bots"),
        ("campaign", "0016_practice"),
        ("campaign", "0017_absences"),
        ("campaign", "0018_opened_statistics"),
        ("campaign", "0019_invitation_mails"),
        ("campaign", "0020_guide"),
        ("campaign", "0021_forum"),
        ("campaign", "0022_calendar_feeds"),
        ("campaign", "0023_absences"),
        ("campaign", "0024_substitutes"),
        ("campaign", "0025_hand_overs"),
        ("campaign", "0026_time_to_think"),
        ("campaign", "0027_gathered_mails"),
        ("campaign", "0028_battle_kit"),
        ("campaign", "0029_the_end"),
        ("campaign", "0030_invited_by_account"),
        ("campaign", "0031_from_position"),
        ("campaign", "0032_consent_to_questions"),
        ("campaign", "0033_confirms_mail"),
        ("campaign", "0034_return_paths"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Campaign",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(unique=True)),
                ("title", models.CharField(max_length=200)),
                ("ruleset", models.CharField(max_length=50)),
                ("scenario_digest", models.CharField(max_length=64)),
                ("anchors", models.JSONField(default=dict)),
                ("public", models.BooleanField(default=True)),
                ("open_links", models.JSONField(blank=True, default=list)),
                ("forum", models.CharField(default="phpbb", max_length=20)),
                ("time_zone", models.CharField(default="UTC", max_length=64)),
                ("weekdays", models.JSONField(blank=True, default=list)),
                ("quiet_from", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("quiet_to", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("reminder_hours", models.PositiveIntegerField(default=12)),
                ("battle_hours", models.PositiveIntegerField(default=48)),
                ("absent_hours", models.PositiveIntegerField(blank=True, null=True)),
                ("think_seconds", models.PositiveSmallIntegerField(default=0)),
                ("practice", models.BooleanField(default=False)),
                ("opens_statistics", models.BooleanField(default=False)),
                ("opens_story", models.BooleanField(default=False)),
                ("from_position", models.BooleanField(default=False)),
                ("confirms_mail", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("practice", False), ("think_seconds", 0), _connector="OR"),
                        name="practices_do_not_wait",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("name", models.CharField(max_length=50, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ScenarioPicture",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("content", models.BinaryField()),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Tries",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("mark", models.CharField(max_length=32, unique=True)),
                ("until", models.DateTimeField(db_index=True)),
                ("count", models.PositiveIntegerField(default=1)),
            ],
            options={
                "verbose_name_plural": "tries",
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                ("time_zone", models.CharField(blank=True, max_length=64)),
                ("parts_rev", models.PositiveIntegerField(default=0)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="audit", to="campaign.campaign"
                    ),
                ),
                ("no", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("act", models.CharField(max_length=50)),
                ("subject", models.JSONField()),
                ("rows", models.JSONField(default=dict)),
                ("prev", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("campaign", "no"), name="audit_without_gaps")],
            },
        ),
        migrations.CreateModel(
            name="Bot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="bots", to="campaign.campaign"
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                ("name", models.CharField(max_length=50)),
                (
                    "role",
                    models.CharField(
                        choices=[("commander", "Commander"), ("deputy", "Deputy commander")],
                        default="commander",
                        max_length=20,
                    ),
                ),
                ("since", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("campaign", "side"), name="one_bot_a_side")],
            },
        ),
        migrations.CreateModel(
            name="Closing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="closing", to="campaign.campaign"
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("closed", "Closed"),
                            ("victory", "Victory"),
                            ("concession", "Concession"),
                            ("draw", "Draw"),
                            ("abandoned", "Abandoned"),
                        ],
                        default="closed",
                        max_length=20,
                    ),
                ),
                ("winner", models.CharField(blank=True, max_length=50)),
                ("reason", models.TextField(blank=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["closed", "victory", "concession", "draw", "abandoned"])),
                        name="ending_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Consent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="consents", to="campaign.campaign"
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                (
                    "what",
                    models.CharField(
                        choices=[("notes", "Notes"), ("questions", "Questions"), ("story", "Story")], max_length=20
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "side", "what"), name="one_consent_a_side"),
                    models.CheckConstraint(
                        condition=models.Q(("what__in", ["notes", "questions", "story"])), name="consent_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="campaign.campaign"
                    ),
                ),
                ("token_digest", models.CharField(max_length=64, unique=True)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("gm", "Game master"),
                            ("commander", "Commander"),
                            ("deputy", "Deputy commander"),
                            ("staff", "Staff"),
                            ("tactical", "Tactical player"),
                            ("spectator", "Spectator"),
                        ],
                        max_length=20,
                    ),
                ),
                ("side", models.CharField(blank=True, max_length=50)),
                ("takes_over", models.BooleanField(default=False)),
                ("meant_for", models.CharField(blank=True, max_length=200)),
                ("address", models.EmailField(blank=True, max_length=254)),
                ("hides_address", models.BooleanField(default=False)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("opens_at", models.DateTimeField(blank=True, null=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "used_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("takes_over", False), ("role", "gm"), _connector="OR"),
                        name="only_gms_are_taken_over_from",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="campaign.campaign"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("gm", "Game master"),
                            ("commander", "Commander"),
                            ("deputy", "Deputy commander"),
                            ("staff", "Staff"),
                            ("tactical", "Tactical player"),
                            ("spectator", "Spectator"),
                        ],
                        max_length=20,
                    ),
                ),
                ("side", models.CharField(blank=True, max_length=50)),
                ("knows", models.CharField(blank=True, max_length=50)),
                ("mail_choices", models.JSONField(blank=True, default=dict)),
                ("mails_quiet_from", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("mails_quiet_to", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("away_until", models.DateTimeField(blank=True, null=True)),
                ("guided", models.BooleanField(default=False)),
                ("guide_step", models.CharField(blank=True, max_length=40)),
                ("joined_at", models.DateTimeField()),
                ("left_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "user"), name="one_part_a_person"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("role__in", ["gm", "spectator"]), ("side", "")),
                            models.Q(
                                models.Q(("role__in", ["gm", "spectator"]), _negated=True),
                                models.Q(("side", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="players_have_a_side",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Phase",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="phases", to="campaign.campaign"
                    ),
                ),
                ("no", models.PositiveIntegerField()),
                ("rev", models.PositiveIntegerField(default=0)),
                ("key", models.CharField(max_length=50)),
                ("moment", models.CharField(max_length=100)),
                ("day", models.DateField(blank=True, null=True)),
                ("weight", models.CharField(default="full", max_length=10)),
                ("occurrences", models.JSONField(blank=True, default=dict)),
                ("acts", models.JSONField(default=list)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("OPEN", "Open"),
                            ("LOCKED", "Locked"),
                            ("RUNNING", "Running"),
                            ("REVIEW", "Review"),
                            ("PUBLISHED", "Published"),
                            ("FAILED", "Failed"),
                            ("WITHDRAWN", "Withdrawn"),
                        ],
                        default="OPEN",
                        max_length=20,
                    ),
                ),
                ("held", models.BooleanField(default=False)),
                ("remaining", models.DurationField(blank=True, null=True)),
                ("held_at", models.DateTimeField(blank=True, null=True)),
                ("held_until", models.DateTimeField(blank=True, null=True)),
                ("opens_at", models.DateTimeField()),
                ("deadline_at", models.DateTimeField()),
                ("deadline_rev", models.PositiveIntegerField(default=0)),
                (
                    "deadline_kind",
                    models.CharField(
                        choices=[("closes", "Closes"), ("nags", "Nags"), ("ready", "Ready")],
                        default="closes",
                        max_length=10,
                    ),
                ),
                ("fence", models.PositiveIntegerField(default=0)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("claimed_by", models.CharField(blank=True, max_length=100)),
                ("errors", models.PositiveIntegerField(default=0)),
                ("leases_lost", models.PositiveIntegerField(default=0)),
                ("locked_at", models.DateTimeField(blank=True, null=True)),
                ("lock_no", models.PositiveIntegerField(blank=True, null=True)),
                ("state_version", models.PositiveIntegerField()),
                ("drafted_at", models.DateTimeField(blank=True, null=True)),
                ("published_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["state", "deadline_at"], name="phase_due")],
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "no", "rev"), name="one_phase_a_number"),
                    models.UniqueConstraint(fields=("campaign", "lock_no"), name="one_phase_a_lock"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["OPEN", "LOCKED", "RUNNING", "REVIEW", "PUBLISHED", "FAILED", "WITHDRAWN"])
                        ),
                        name="phase_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "PUBLISHED"), _negated=True),
                            ("published_at__isnull", False),
                            _connector="OR",
                        ),
                        name="published_has_a_time",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["PUBLISHED", "WITHDRAWN"]), _negated=True),
                        fields=("campaign",),
                        name="one_live_phase",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PhaseSettings",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="phase_settings",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "weight",
                    models.CharField(
                        choices=[("full", "full"), ("impulse", "impulse"), ("reply", "reply")], max_length=10
                    ),
                ),
                ("hours", models.PositiveIntegerField()),
                ("reviewed", models.BooleanField()),
                (
                    "mailing",
                    models.CharField(
                        choices=[("reports", "Reports"), ("questions", "Questions"), ("digest", "Digest")],
                        max_length=10,
                    ),
                ),
                ("pictures", models.BooleanField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "weight"), name="one_row_a_weight"),
                    models.CheckConstraint(
                        condition=models.Q(("weight__in", ["full", "impulse", "reply"])), name="phase_weight_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mailing__in", ["reports", "questions", "digest"])), name="mailing_known"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SubstituteOffer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="all_offers", to="campaign.campaign"
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("words", models.CharField(blank=True, max_length=200)),
                ("offered_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("campaign", "author"), name="one_offer_a_person")],
            },
        ),
        migrations.CreateModel(
            name="BattleMap",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.campaign"
                    ),
                ),
                ("place", models.CharField(max_length=50)),
                ("side", models.CharField(max_length=50)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("link", models.URLField(blank=True)),
                ("notes", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(fields=["campaign", "place"], name="maps_of_a_place")],
            },
        ),
        migrations.CreateModel(
            name="CampaignDice",
            fields=[
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="dice",
                        serialize=False,
                        to="campaign.campaign",
                    ),
                ),
                ("sealed_dice", models.BinaryField()),
            ],
            options={
                "verbose_name_plural": "campaign dice",
            },
        ),
        migrations.CreateModel(
            name="CampaignScenario",
            fields=[
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="scenario",
                        serialize=False,
                        to="campaign.campaign",
                    ),
                ),
                ("scenario_files", models.JSONField()),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Absence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="all_absences",
                        to="campaign.membership",
                    ),
                ),
                ("audience", models.CharField(max_length=50)),
                ("starts_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                (
                    "deputy",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="campaign.membership",
                    ),
                ),
                ("why", models.CharField(blank=True, max_length=200)),
                ("booked_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("member", "starts_at"), name="one_absence_at_a_time"),
                    models.CheckConstraint(
                        condition=models.Q(("ends_at__gt", models.F("starts_at"))), name="absences_end_later"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Artefact",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="all_artefacts", to="campaign.phase"
                    ),
                ),
                ("audience", models.CharField(max_length=50)),
                ("kind", models.CharField(max_length=20)),
                ("content", models.BinaryField()),
                ("sha256", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "audience", "kind"), name="one_artefact_a_kind")
                ],
            },
        ),
        migrations.CreateModel(
            name="Battle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="battles", to="campaign.phase"
                    ),
                ),
                ("key", models.CharField(max_length=50)),
                ("attacker", models.CharField(max_length=50)),
                ("defender", models.CharField(max_length=50)),
                (
                    "attacking_player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="battles_attacked",
                        to="campaign.membership",
                    ),
                ),
                (
                    "defending_player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="battles_defended",
                        to="campaign.membership",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "waits for a report"),
                            ("reported", "waits for the other player"),
                            ("confirmed", "confirmed"),
                            ("accepted", "counts as accepted"),
                            ("disputed", "disputed"),
                            ("ruled", "decided by the GM"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("reported_by", models.CharField(blank=True, max_length=50)),
                ("reported_at", models.DateTimeField(blank=True, null=True)),
                ("accepts_at", models.DateTimeField(blank=True, null=True)),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "key"), name="one_battle_a_key"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["open", "reported", "confirmed", "accepted", "disputed", "ruled"])
                        ),
                        name="battle_state_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CalendarFeed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "member",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.membership"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("made_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Desk",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="all_desks", to="campaign.campaign"
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                ("name", models.CharField(max_length=50)),
                (
                    "holder",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="all_desks",
                        to="campaign.membership",
                    ),
                ),
                ("formations", models.JSONField(default=list)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "side", "name"), name="one_desk_a_name"),
                    models.CheckConstraint(condition=models.Q(("name", "HQ"), _negated=True), name="hq_is_no_row"),
                ],
            },
        ),
        migrations.CreateModel(
            name="DiceLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="all_dice_lines",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="all_dice_lines", to="campaign.phase"
                    ),
                ),
                ("audience", models.CharField(max_length=50)),
                ("no", models.PositiveIntegerField()),
                ("lock_no", models.PositiveIntegerField()),
                ("label", models.CharField(max_length=120)),
                ("line", models.TextField()),
                ("digest", models.CharField(max_length=64)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "audience", "no"), name="dice_log_without_gaps"),
                    models.UniqueConstraint(fields=("campaign", "audience", "lock_no", "label"), name="rolled_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="DrawOffer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "after",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="draw_offers", to="campaign.phase"
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("after", "side"), name="one_draw_offer_a_phase")],
            },
        ),
        migrations.CreateModel(
            name="ManualRoll",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="manual_rolls", to="campaign.campaign"
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="manual_rolls", to="campaign.phase"
                    ),
                ),
                ("audience", models.CharField(max_length=50)),
                ("number", models.PositiveIntegerField()),
                ("count", models.PositiveSmallIntegerField()),
                ("sides", models.PositiveSmallIntegerField()),
                ("purpose", models.CharField(max_length=200)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("announced_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "audience", "number"), name="manual_rolls_counted")
                ],
            },
        ),
        migrations.CreateModel(
            name="Resolution",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("phase", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, to="campaign.phase")),
                ("fence", models.PositiveIntegerField()),
                ("state_version", models.PositiveIntegerField()),
                ("event_version", models.PositiveIntegerField(default=1)),
            ],
        ),
        migrations.CreateModel(
            name="Preface",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="prefaces", to="campaign.phase"
                    ),
                ),
                ("audience", models.CharField(max_length=50)),
                ("text", models.TextField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("phase", "audience"), name="one_preface_an_audience")],
            },
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rulings", to="campaign.phase"
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("at", models.CharField(max_length=50)),
                ("written", models.TextField(blank=True)),
                ("fact", models.JSONField()),
                ("event_version", models.PositiveIntegerField(default=1)),
                ("reason", models.TextField()),
                ("author", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ("taken_back_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("phase", "seq"), name="rulings_in_order")],
            },
        ),
        migrations.CreateModel(
            name="VoidedRoll",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="voided_rolls", to="campaign.phase"
                    ),
                ),
                ("audience", models.CharField(max_length=50)),
                ("label", models.CharField(max_length=120)),
                ("reason", models.TextField()),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("phase", "audience", "label"), name="voided_once")],
            },
        ),
        migrations.CreateModel(
            name="JoiningWords",
            fields=[
                (
                    "membership",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="joining",
                        serialize=False,
                        to="campaign.membership",
                    ),
                ),
                ("words", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "verbose_name_plural": "joining words",
            },
        ),
        migrations.CreateModel(
            name="PhaseProof",
            fields=[
                (
                    "phase",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="proof",
                        serialize=False,
                        to="campaign.phase",
                    ),
                ),
                ("sheets_digest", models.CharField(blank=True, max_length=64)),
                ("contributions", models.JSONField(default=dict)),
                ("mix", models.CharField(blank=True, max_length=64)),
                ("result_digest", models.CharField(blank=True, max_length=64)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="PhaseStart",
            fields=[
                (
                    "phase",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="start",
                        serialize=False,
                        to="campaign.phase",
                    ),
                ),
                ("state_before", models.BinaryField()),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Link",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "artefact",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="links", to="campaign.artefact"
                    ),
                ),
                ("token", models.CharField(max_length=32, unique=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at__isnull", True)),
                        fields=("artefact",),
                        name="one_live_link_an_artefact",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OutboxMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200, unique=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="outbox",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="outbox",
                        to="campaign.phase",
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("audience", models.CharField(blank=True, max_length=50)),
                ("subject", models.CharField(max_length=300)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("to_addr", models.EmailField(max_length=254)),
                ("stored", models.BinaryField()),
                ("packed", models.BooleanField(default=False)),
                (
                    "picture",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="campaign.artefact",
                    ),
                ),
                ("picture_at", models.PositiveIntegerField(default=0)),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("message_id", models.CharField(max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "Waiting"), ("sending", "Sending"), ("sent", "Sent"), ("dead", "Dead")],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("tries", models.PositiveIntegerField(default=0)),
                ("trouble", models.CharField(blank=True, max_length=300)),
                ("refused", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("first_try_at", models.DateTimeField(blank=True, null=True)),
                ("next_at", models.DateTimeField()),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("fence", models.PositiveIntegerField(default=0)),
                ("return_token", models.CharField(blank=True, max_length=32)),
                ("return_digest", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("bounced_at", models.DateTimeField(blank=True, null=True)),
                ("bounce_status", models.CharField(blank=True, max_length=12)),
                ("delayed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [models.Index(models.F("state"), models.F("next_at"), name="outbox_due")],
            },
        ),
        migrations.CreateModel(
            name="PlayingTime",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.battle"
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("begins_at", models.DateTimeField()),
                ("proposed_at", models.DateTimeField()),
                (
                    "accepted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
                ("ended_by", models.CharField(blank=True, max_length=50)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Statement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="all_statements", to="campaign.battle"
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("text", models.TextField()),
                ("link", models.URLField(blank=True)),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("battle", "side"), name="one_statement_a_side")],
            },
        ),
        migrations.CreateModel(
            name="BattleResult",
            fields=[
                (
                    "battle",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="result",
                        serialize=False,
                        to="campaign.battle",
                    ),
                ),
                ("report", models.TextField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("report", ""), _negated=True), name="results_say_something"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BattleFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.battle"
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("link", models.URLField()),
                ("note", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField()),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="BattleReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="all_reports", to="campaign.battle"
                    ),
                ),
                ("side", models.CharField(max_length=50)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "act",
                    models.CharField(
                        choices=[
                            ("report", "Report"),
                            ("confirm", "Confirm"),
                            ("dispute", "Dispute"),
                            ("decide", "Decide"),
                        ],
                        max_length=20,
                    ),
                ),
                ("text", models.TextField()),
                ("idem_key", models.CharField(blank=True, max_length=64)),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("idem_key", ""), _negated=True),
                        fields=("battle", "idem_key"),
                        name="one_report_a_submission",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Outcome",
            fields=[
                (
                    "resolution",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="outcome",
                        serialize=False,
                        to="campaign.resolution",
                    ),
                ),
                ("state_after", models.BinaryField()),
                ("events", models.BinaryField()),
                ("digest", models.CharField(max_length=64)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Fetch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="fetches", to="campaign.link"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("mark", models.CharField(max_length=12)),
                ("first_at", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
                ("times", models.PositiveIntegerField(default=1)),
            ],
            options={
                "indexes": [models.Index(fields=["last_at"], name="fetch_age")],
                "constraints": [models.UniqueConstraint(fields=("link", "mark"), name="one_fetch_a_visitor")],
            },
        ),
        migrations.CreateModel(
            name="MailNews",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200, unique=True)),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.membership"
                    ),
                ),
                ("audience", models.CharField(max_length=50)),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="campaign.phase"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("battle", models.CharField(blank=True, max_length=50)),
                ("text", models.TextField(blank=True)),
                ("page", models.CharField(blank=True, max_length=500)),
                ("into", models.CharField(choices=[("battles", "Battles"), ("digest", "Digest")], max_length=10)),
                ("created_at", models.DateTimeField()),
                ("leaves_at", models.DateTimeField()),
                ("gathered_at", models.DateTimeField(blank=True, null=True)),
                (
                    "mail",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="campaign.outboxmessage",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "news",
                "indexes": [models.Index(models.F("gathered_at"), models.F("leaves_at"), name="news_due")],
            },
        ),
    ]
